# An MCP server for tests: `read` and `slow` only read, `write` may write, `bad` fails.
# It keeps a line for each call in the file that is its argument; `slow` never answers.
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
    tool() { printf '{"name":"%s","description":"%s things","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":%s}}' "$1" "$1" "$2"; }
    says() { printf '{"content":[{"type":"text","text":"%s"}],"isError":%s}' "$1" "$2"; }
    case $line in
    *'"initialize"'*)
        answer '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}' ;;
    *'"tools/list"'*)
        answer "{\"tools\":[$(tool write false),$(tool slow true),$(tool read true),$(tool bad true)]}" ;;
    *'"tools/call"'*)
        name=$(printf '%s' "$line" | sed -n 's/.*"name":"\([a-z]*\)".*/\1/p')
        echo "$name" >>"$1"
        case $name in
        slow) ;;
        bad) answer "$(says 'it broke' true)" ;;
        *) answer "$(says "$name is done" false)" ;;
        esac ;;
    esac
done
