// client.go TARGET [PORT]: a channel of grpc-go and its CSDS, whose port it prints, until stdin
// closes. A line of stdin is the path of an RPC, and another target if it is not for that; it
// prints the status.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/balancer/rls"
	"google.golang.org/grpc/admin"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	_ "google.golang.org/grpc/xds"
	"google.golang.org/protobuf/types/known/emptypb"
)

func main() {
	port := "0"
	if len(os.Args) > 2 {
		port = os.Args[2]
	}
	listen, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	if _, err := admin.Register(server); err != nil {
		log.Fatal(err)
	}
	go server.Serve(listen)
	fmt.Println(listen.Addr().(*net.TCPAddr).Port)
	conns := map[string]*grpc.ClientConn{}
	conn := func(target string) *grpc.ClientConn {
		if conns[target] == nil {
			made, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err != nil {
				log.Fatal(err)
			}
			conns[target] = made
		}
		return conns[target]
	}
	conn(os.Args[1]).Connect()
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := append(strings.Fields(in.Text()), os.Args[1])
		ctx, cancel := context.WithTimeout(context.Background(), 8*time.Second)
		err := conn(words[1]).Invoke(ctx, words[0], &emptypb.Empty{}, &emptypb.Empty{})
		cancel()
		fmt.Println(status.Code(err))
	}
}
