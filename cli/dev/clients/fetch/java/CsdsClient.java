import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.services.AdminInterface;
import io.grpc.stub.ClientCalls;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * CsdsClient TARGET: a channel of grpc-java and its CSDS, whose port it prints, until stdin
 * closes. A line of stdin is the path of an RPC, and another target than the first one if it is
 * not for that; it prints the status.
 */
public final class CsdsClient {
  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<byte[]>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          return new byte[0];
        }
      };

  private static final Map<String, ManagedChannel> channels = new HashMap<>();

  private static ManagedChannel channel(String target) {
    return channels.computeIfAbsent(
        target, t -> Grpc.newChannelBuilder(t, InsecureChannelCredentials.create()).build());
  }

  private static String rpc(ManagedChannel channel, String path) {
    // java's names of methods have a part before the slash.
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(path.substring(1))
            .setRequestMarshaller(BYTES)
            .setResponseMarshaller(BYTES)
            .build();
    try {
      ClientCalls.blockingUnaryCall(
          channel,
          method,
          CallOptions.DEFAULT.withDeadlineAfter(8, TimeUnit.SECONDS),
          new byte[0]);
      return "OK";
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode().toString();
    }
  }

  public static void main(String[] argv) throws Exception {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addServices(AdminInterface.getStandardServices())
            .build()
            .start();
    System.out.println(server.getPort());
    channel(argv[0]).getState(true);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null; ) {
      String[] words = line.split(" ");
      System.out.println(rpc(channel(words.length > 1 ? words[1] : argv[0]), words[0]));
    }
    System.exit(0);
  }
}
