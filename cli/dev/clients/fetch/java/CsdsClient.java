import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.services.AdminInterface;

/** A channel of grpc-java and its CSDS, whose port it prints, until stdin closes. */
public final class CsdsClient {
  public static void main(String[] argv) throws Exception {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addServices(AdminInterface.getStandardServices())
            .build()
            .start();
    System.out.println(server.getPort());
    ManagedChannel channel =
        Grpc.newChannelBuilder(argv[0], InsecureChannelCredentials.create()).build();
    channel.getState(true);
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
