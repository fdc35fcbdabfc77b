@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Not verified: see README.md beside it. Starts Muster by the Java of MUSTER_JAVA_HOME, JAVA_HOME or PATH.
setlocal
set "home=%~dp0"
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
if defined MUSTER_JAVA_HOME set "java=%MUSTER_JAVA_HOME%\bin\java"
"%java%" --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dfile.encoding=UTF-8 ^
  -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 "-Dmuster.home=%home%." %MUSTER_JAVA_OPTS% ^
  -cp "%home%lib\*;%home%live\*" dev.muster.cli.Main %*
exit /b %ERRORLEVEL%
