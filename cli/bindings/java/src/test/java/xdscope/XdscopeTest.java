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
        Xdscope.Difference difference = Xdscope.diff(old, now, Options.of("java"));
        assertEquals(List.of(new Xdscope.Change("changed", "envoy.config.cluster.v3.Cluster", "shop")), difference.resources());
        assertEquals(1, difference.raw().getAsJsonArray("resources").size());
    }

    @Test
    void anRpcIsFollowed() throws IOException {
        Input input = new Input();
        for (String type : List.of("clusters", "endpoints", "listeners", "routes")) {
            Path file = Path.of(System.getenv("XDSCOPE_TREE"), "testdata/snapshots/shop/shop." + type + ".yaml");
            input.file(file.toString(), Files.readAllBytes(file));
        }
        Xdscope.Decision decision = Xdscope.explain(input, Xdscope.Rpc.of("/shop.Cart/Add").withHeader("x-user", "alice"), Options.of());
        assertEquals("routed", decision.outcome());
        assertTrue(decision.routed());
        assertEquals("shop-routes", decision.routeConfig().name());
        assertEquals("core", decision.raw().get("client").getAsString());
        decision = Xdscope.explain(input, Xdscope.Rpc.of("/shop.Cart/Add").withAuthority("nobody"), Options.of());
        assertFalse(decision.routed());
        assertEquals("UNAVAILABLE", decision.status().code());
    }

    @Test
    void gapsFailNoRpc() {
        assertTrue(new Xdscope.Decision("core", "routed_with_gaps", null, null, null).routed());
        assertFalse(new Xdscope.Decision("core", "no_route", null, null, null).routed());
    }

    private static String own(String... words) throws IOException {
        List<String> line = new java.util.ArrayList<>(List.of(words));
        line.add(0, System.getenv("XDSCOPE_PROGRAM"));
        Process process = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void textIsThatOfTheProgram() throws IOException {
        String shop = System.getenv("XDSCOPE_TREE") + "/testdata/snapshots/shop";
        Input input = new Input().folder(Path.of(shop));
        assertEquals(own("lint", "--no-config", shop), Xdscope.lintAs("text", input, Options.of()));
        assertEquals(own("explain", "--path", "/shop.Cart/Add", "--client", "go", shop),
                Xdscope.explainAs("text", input, Xdscope.Rpc.of("/shop.Cart/Add"), Options.of("go")));
        assertEquals(2, assertThrows(XdscopeException.class,
                () -> Xdscope.explainAs("text", input, Xdscope.Rpc.of("/a.B/C"), Options.of("go", "java"))).status);
    }

    @Test
    void optionsReachTheModule() {
        Input input = new Input().file("c.json", "{\"name\": \"c\", \"type\": \"EDS\", \"new_field\": 1}");
        Options options = Options.of("java").withType("cluster").withPartial();
        assertTrue(Xdscope.lint(input, options).errors().stream().anyMatch(finding -> finding.message().contains("new_field")));
        assertFalse(Xdscope.lint(input, options.withUnknownFields()).errors().stream().anyMatch(finding -> finding.message().contains("new_field")));
        for (Options wrong : List.of(Options.of().withEnv("A=B"), Options.of().withParts("nothing"), Options.of().withBootstrap("{\"xds_servers\": 1}"))) {
            assertEquals(2, assertThrows(XdscopeException.class, () -> Xdscope.lint(input, wrong)).status);
        }
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
