@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Starts Muster by a Java 25 or newer: that of MUSTER_JAVA_HOME if it is set, else of JAVA_HOME or PATH.
rem Not verified: never tried on Windows.
setlocal
rem Names of variables have no case here, and HOME is the user's.
set "muster_home=%~dp0"
set "muster_java="
if not defined MUSTER_JAVA_HOME goto search
set "muster_try=%MUSTER_JAVA_HOME:"=%"
call :try
if defined muster_java goto start
>&2 echo muster: MUSTER_JAVA_HOME is not Java 25 or newer: "%muster_try%"
exit /b 69

:search
if not defined JAVA_HOME goto path
set "muster_try=%JAVA_HOME:"=%"
call :try
if defined muster_java goto start
:path
for %%f in (java.exe) do set "muster_try=%%~dp$PATH:f"
if not defined muster_try goto none
set "muster_try=%muster_try%.."
call :try
if defined muster_java goto start
:none
>&2 echo muster: Java 25 or newer not found (searched MUSTER_JAVA_HOME, JAVA_HOME, PATH); install one: https://adoptium.net
exit /b 69

:start
"%muster_java%" --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dfile.encoding=UTF-8 ^
  -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 "-Dmuster.home=%muster_home%." %MUSTER_JAVA_OPTS% ^
  -cp "%muster_home%lib\*;%muster_home%live\*" dev.muster.cli.Main %*
exit /b %ERRORLEVEL%

rem Sets muster_java if the folder muster_try holds a Java 25 or newer, whose file "release" says: JAVA_VERSION="25.0.1".
:try
if not exist "%muster_try%\bin\java.exe" exit /b
if not exist "%muster_try%\release" exit /b
for /f "usebackq tokens=1,2 delims==" %%a in ("%muster_try%\release") do (
  if "%%a"=="JAVA_VERSION" for /f "delims=.-+" %%v in ("%%~b") do if %%v geq 25 set "muster_java=%muster_try%\bin\java.exe"
)
exit /b
