package xdscope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What it says is what the program says. XDSCOPE_CORPUS is set by make check-bindings. */
class XdscopeTest {
    @TestFactory
    Stream<DynamicTest> findingsAreThoseOfTheProgram() throws IOException {
        JsonArray corpus = Xdscope.GSON.fromJson(Files.readString(Path.of(System.getenv("XDSCOPE_CORPUS"))), JsonArray.class);
        assertEquals(100, corpus.size());
        return StreamSupport.stream(corpus.spliterator(), false).map(JsonElement::getAsJsonObject)
                .map(entry -> DynamicTest.dynamicTest(entry.get("case").getAsString(), () -> compare(entry)));
    }

    private static void compare(JsonObject entry) {
        Input input = new Input().file(entry.get("name").getAsString(), Base64.getDecoder().decode(entry.get("content").getAsString()));
        Xdscope.Report report = Xdscope.lint(input, Xdscope.GSON.fromJson(entry.get("options"), Options.class));
        assertEquals(entry.getAsJsonObject("document"), report.raw());
        assertEquals(entry.get("status").getAsInt() == 0, report.accepted());
    }

    private static Cluster cluster(Cluster.DiscoveryType type) {
        return Cluster.newBuilder().setName("shop").setType(type)
                .setEdsClusterConfig(Cluster.EdsClusterConfig.newBuilder()
                        .setEdsConfig(ConfigSource.newBuilder().setAds(AggregatedConfigSource.getDefaultInstance())))
                .build();
    }

    @Test
    void aFaultIsReportedWithResourceAndField() {
        XdscopeAssertions.assertAccepted(List.of(cluster(Cluster.DiscoveryType.EDS)));
        AssertionError error = assertThrows(AssertionError.class,
                () -> XdscopeAssertions.assertAccepted(List.of(cluster(Cluster.DiscoveryType.STRICT_DNS)), "java@1.60"));
        assertTrue(error.getMessage().contains("Cluster \"shop\": type: error: unknown discovery type STRICT_DNS"), error.getMessage());
    }

    @Test
    void aDifferenceNamesTheResource() {
        Input old = new Input().messages(List.of(cluster(Cluster.DiscoveryType.EDS)));
        Input now = new Input().messages(List.of(cluster(Cluster.DiscoveryType.EDS).toBuilder().setLbPolicy(Cluster.LbPolicy.RING_HASH).build()));
        JsonObject first = Xdscope.diff(old, now, Options.of("java")).getAsJsonArray("resources").get(0).getAsJsonObject();
        assertEquals("changed", first.get("change").getAsString());
        assertEquals("shop", first.get("name").getAsString());
    }

    @Test
    void anRpcIsFollowed() throws IOException {
        Input input = new Input();
        for (String type : List.of("clusters", "endpoints", "listeners", "routes")) {
            Path file = Path.of(System.getenv("XDSCOPE_TREE"), "testdata/snapshots/shop/shop." + type + ".yaml");
            input.file(file.toString(), Files.readAllBytes(file));
        }
        JsonObject decision = Xdscope.explain(input, new Xdscope.Rpc("/shop.Cart/Add", null, List.of(List.of("x-user", "alice"))), Options.of());
        assertEquals("routed", decision.get("outcome").getAsString());
        assertEquals("shop-routes", decision.getAsJsonObject("route_config").get("name").getAsString());
    }

    @Test
    void afterAFaultTheNextCallWorks() {
        byte[] deep = new byte[1 << 20];
        java.util.Arrays.fill(deep, (byte) '[');
        assertFalse(Xdscope.lint(new Input().file("deep.json", deep), Options.of()).accepted());
        assertEquals(3, assertThrows(XdscopeException.class, () -> Module.call("lint", new byte[600 << 20])).status);
        assertEquals(2, assertThrows(XdscopeException.class, () -> Xdscope.lint(new Input(), Options.of("nobody"))).status);
        XdscopeAssertions.assertAccepted(List.of(cluster(Cluster.DiscoveryType.EDS)));
    }

    @Test
    void theLicensesOfWhatIsLinkedAreInTheJar() throws IOException {
        try (InputStream text = Xdscope.class.getResourceAsStream("/xdscope/THIRD-PARTY")) {
            assertTrue(new String(text.readAllBytes(), StandardCharsets.UTF_8).contains("==== protobuf-c\n"));
        }
    }

    /** Printed by {@code make bench-bindings}. */
    @Test
    @Tag("bench")
    void timeOfACluster() {
        int n = 2000;
        List<Cluster> clusters = java.util.stream.IntStream.range(0, n)
                .mapToObj(i -> cluster(Cluster.DiscoveryType.EDS).toBuilder().setName("c" + i).build()).toList();
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 100; i++) { // the JVM compiles the hot ones
            long start = System.nanoTime();
            XdscopeAssertions.assertAccepted(clusters);
            best = Math.min(best, (System.nanoTime() - start) / n);
        }
        System.out.printf("%.1f us for a cluster%n", best / 1000.0);
    }
}
