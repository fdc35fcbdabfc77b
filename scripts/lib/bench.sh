# Read by scripts that run the module bench: builds it if it is missing or older than its sources, and sets $java.
# $home is the root of the checkout.

java=$(MUSTER_PRINT_COMMAND=1 "$home/muster" | head -n 1)
[ -n "$java" ] || exit 69

jar=$(ls "$home"/bench/target/app/lib/muster-bench-*.jar 2>/dev/null || true)
if [ -z "$jar" ] || [ -n "$(find "$home"/*/src/main "$home"/*/pom.xml "$home/pom.xml" -newer "$jar" -print 2>/dev/null | head -n 1)" ]; then
    echo "building the benchmarks ..." >&2
    mvn -q -B -ntp -DskipTests -f "$home/pom.xml" -pl bench -am package >&2
fi
