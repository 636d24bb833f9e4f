# Traced calls whose output is piped, captured or redirected. $1: the folder of trace.sh.
set -eu
. "$1/trace.sh"

seq 5 >nums
traced pi:ped cat nums | wc -l
n=$(traced capt:ured sh -c 'echo 5')
echo $((n + 1))
traced redi:rected cat nums >copy
cat copy
cat >inner.sh <<'END'
. "$1/trace.sh"
traced in:ner echo 7
END
n=$(traced out:er sh inner.sh "$1")
echo $((n + 1))
