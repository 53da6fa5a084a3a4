import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.xds.XdsChannelCredentials;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Opens channels with XdsCredentials of grpc-java: a line of JSON in for each, one out. See
 * handshakes.py. */
public final class HandshakeClient {
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

  private static String call(JsonObject asked) throws InterruptedException {
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.newBuilder(BYTES, BYTES)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("s/m")
            .build();
    ManagedChannel channel =
        Grpc.newChannelBuilder(
                asked.get("target").getAsString(),
                XdsChannelCredentials.create(InsecureChannelCredentials.create()))
            .build();
    try {
      long ms = (long) (1000 * asked.get("seconds").getAsDouble());
      ClientCalls.blockingUnaryCall(
          channel,
          method,
          CallOptions.DEFAULT.withDeadlineAfter(ms, TimeUnit.MILLISECONDS),
          new byte[0]);
      return "";
    } catch (StatusRuntimeException e) {
      return e.getStatus().toString();
    } finally {
      channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    }
  }

  public static void main(String[] args) throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonObject out = new JsonObject();
      out.addProperty("error", call(new JsonParser().parse(line).getAsJsonObject()));
      System.out.println(new Gson().toJson(out));
    }
  }
}
