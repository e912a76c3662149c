#!/usr/bin/env bash
# Fuzzes one parser with libFuzzer: .ci/fuzz/fuzz.sh TARGET [SECONDS] [FLAGS OF LIBFUZZER...]
#
# TARGET is graphql, json, events, multipart or socket: see Tests/WeirTests/Fuzzing, which says what
# has to hold. Starts from Tests/WeirTests/Corpus/TARGET. What breaks something is left in
# .build/fuzz/findings: mend the parser, and move the file to that corpus, which is a test.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$1
seconds=${2:-60}
shift $(($# > 1 ? 2 : 1))
out=$PWD/.build/fuzz
mkdir -p "$out/findings" "$out/corpus/$target"

flags=(
  -swift-version 6 -O -whole-module-optimization -parse-as-library -sanitize=fuzzer
  -enable-testing -package-name Weir -I "$out"
)
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility \
  NonisolatedNonsendingByDefault InferIsolatedConformances ImmutableWeakCaptures; do
  flags+=(-enable-upcoming-feature "$feature")
done

# The modules are compiled in the order of their dependencies, so later ones may use what has changed.
changed=
compile() { # MODULE SOURCES...: one object, unless it is newer than all of them and nothing was compiled
  local module=$1
  shift
  if [[ -z $changed && -f $out/$module.o && -z $(find "$@" -newer "$out/$module.o" -print -quit) ]]; then
    return
  fi
  changed=1
  echo "Compiling $module"
  swiftc "${flags[@]}" -module-name "$module" -emit-module \
    -emit-module-path "$out/$module.swiftmodule" -c -o "$out/$module.o" "$@"
}

sources() { find "Sources/$1" -name '*.swift' | sort; }
compile GraphQLLanguage $(sources GraphQLLanguage)
compile WeirSupport $(sources WeirSupport)
compile WeirJSON $(sources WeirJSON)
compile Weir $(sources Weir)
compile Fuzz Tests/WeirTests/Fuzzing/FuzzTarget*.swift .ci/fuzz/Entry.swift
swiftc -sanitize=fuzzer -o "$out/fuzz" "$out"/{GraphQLLanguage,WeirSupport,WeirJSON,Weir,Fuzz}.o

# Swift's own crash report would come before the finding is written.
SWIFT_BACKTRACE=enable=no FUZZ_TARGET=$target exec "$out/fuzz" "$out/corpus/$target" "Tests/WeirTests/Corpus/$target" \
  -artifact_prefix="$out/findings/$target-" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 \
  -print_final_stats=1 "$@"
