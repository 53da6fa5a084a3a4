// main.go NAME: a channel of grpc-go to xds:///NAME, until stdin closes. It has the RLS policy,
// which a program has to import for itself.
package main

import (
	"io"
	"log"
	"os"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/balancer/rls"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/xds"
)

func main() {
	creds := grpc.WithTransportCredentials(insecure.NewCredentials())
	conn, err := grpc.Dial("xds:///"+os.Args[1], creds)
	if err != nil {
		log.Fatal(err)
	}
	conn.Connect()
	io.Copy(io.Discard, os.Stdin)
}
