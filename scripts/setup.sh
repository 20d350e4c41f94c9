# Sourced by the scripts of this folder: installs what is missing, builds what is out of date.
# Everything it says goes to stderr; stdout belongs to the program that is run afterwards.

# Top folder of the project.
TFPM_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }

# packages PART...: names of the packages in these parts of packages.txt.
packages() {
  local wanted=" $* " part="" name
  while read -r name _; do
    case $name in
      "" | "#"*) ;;
      "["*) part=${name//[\[\]]/} ;;
      *) [[ $wanted == *" $part "* ]] && printf '%s\n' "$name" ;;
    esac
  done <"$TFPM_TOP/scripts/packages.txt"
  return 0
}

# Those of the packages that dpkg does not have installed.
missing_packages() {
  local name installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p') || true
  for name in "$@"; do
    grep -qxF -- "$name" <<<"$installed" || printf '%s\n' "$name"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    say "error: packages are missing and neither root nor sudo is there to install them"
    say "  help: have them installed: ${missing[*]}"
    return 1
  fi
}

# install_packages PART...: quick when nothing is missing.
install_packages() {
  local -a wanted missing
  mapfile -t wanted < <(packages "$@")
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  [ ${#missing[@]} -eq 0 ] && return 0
  say "installing: ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
}

# build PRESET [TARGET...]: configures once, then builds; silent unless it fails or is long.
build() {
  local preset=$1 log targets=()
  shift
  [ $# -gt 0 ] && targets=(--target "$@")
  log=$TFPM_TOP/build/$preset.log
  mkdir -p "$TFPM_TOP/build"
  (
    cd "$TFPM_TOP"
    [ -f "build/$preset/build.ninja" ] || { say "configuring $preset" && cmake --preset "$preset"; }
    [ -f "build/$preset/.ninja_log" ] || say "building $preset (log: build/$preset.log)"
    cmake --build --preset "$preset" "${targets[@]}"
  ) >"$log" || {
    tail -n 60 "$log" >&2
    say "error: building $preset failed; the whole log is $log"
    return 1
  }
}
