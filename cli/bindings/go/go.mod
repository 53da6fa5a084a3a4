module example.com/xdscope

go 1.25.0

require (
	github.com/tetratelabs/wazero v1.12.0
	google.golang.org/protobuf v1.36.12
)

require golang.org/x/sys v0.44.0 // indirect
