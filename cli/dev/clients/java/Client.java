import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;

/** Client NAME: a channel of grpc-java to xds:///NAME, until stdin closes. */
public final class Client {
  public static void main(String[] args) throws Exception {
    ManagedChannel channel =
        Grpc.newChannelBuilder("xds:///" + args[0], InsecureChannelCredentials.create()).build();
    channel.getState(true);
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
