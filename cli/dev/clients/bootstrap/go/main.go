// main.go: does grpc-go start with a bootstrap? Reads lines of JSON, each a text, and answers with
// what it says, null when it starts. A panic is {"died": TEXT}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/xds"
)

func answer(text string) (out interface{}) {
	defer func() {
		if died := recover(); died != nil {
			out = map[string]string{"died": fmt.Sprint(died)}
		}
	}()
	builder, err := xds.NewXDSResolverWithConfigForTesting([]byte(text))
	if err != nil {
		return err.Error()
	}
	creds := grpc.WithTransportCredentials(insecure.NewCredentials())
	conn, err := grpc.Dial("xds:///x", creds, grpc.WithResolvers(builder))
	if err != nil {
		return err.Error()
	}
	conn.Close()
	return nil
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var text string
		if err := json.Unmarshal(in.Bytes(), &text); err != nil {
			panic(err)
		}
		out.Encode(answer(text))
	}
}
