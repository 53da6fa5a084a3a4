// client.go TARGET [PORT]: a channel of grpc-go and its CSDS, whose port it prints, until stdin
// closes.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"os"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/balancer/rls"
	"google.golang.org/grpc/admin"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/xds"
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
	conn, err := grpc.NewClient(os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	conn.Connect()
	io.Copy(io.Discard, os.Stdin)
}
