// SPDX-License-Identifier: Apache-2.0
package dev.muster.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;

/// Every view, dark and light, on a telephone and on a wide screen: what is there, what the console says, where
/// requests
/// go, and what axe-core finds.
class PageTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int HEIGHT = 1000;
    private static final Path PICTURES = Path.of("target", "pictures");

    @TempDir
    private static Path folder;

    private static ServedRecording server;
    private static ChromeDriver browser;

    @BeforeAll
    static void open() throws IOException {
        Files.createDirectories(PICTURES);
        server = ServedRecording.start(folder);
        ChromeOptions options = new ChromeOptions();
        options.setBinary("/usr/bin/chromium");
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + folder.resolve("profile"));
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(Path.of("/usr/bin/chromedriver").toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    @AfterAll
    static void end() {
        if (browser != null) {
            browser.quit();
        }
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = false, delimiter = '|', textBlock = """
            overview | #/                 | article.card .spark path
            devices  | #/?view=table      | tr.bad .sign
            device   | #/device/cuda%3A3  | figure.chart canvas
            topology | #/topology         | .matrix td
            planner  | #/planner          | form.form details input
            train    | #/planner?ask=train&model=llama-3.1-8b&devices=all    | section.result h2
            simulate | #/planner?ask=simulate&model=llama-3.1-8b&users=4&devices=all | section.result h2
            fit      | #/planner?ask=fit&model=llama-3.1-8b&devices=all      | section.result h2
            cost     | #/planner?ask=cost&model=llama-3.1-8b                 | section.result h2
            fleet    | #/fleet            | ul.grid a.host
            hosts    | #/fleet?view=table&sort=-load | td .bar
            users    | #/fleet?view=users | tbody tr
            host     | #/fleet/h100-sxm-01 | .scroll table
            """)
    void everyViewIsThereInBothThemesAndThreeSizes(String name, String address, String sign) throws IOException {
        for (String theme : List.of("light", "dark")) {
            for (int width : List.of(360, 800, 1600)) {
                show(address, theme, width);
                await(sign);
                picture(name + "-" + theme + "-" + width);
                assertThat(violations())
                        .as("axe-core on %s %s %d", name, theme, width)
                        .isEmpty();
                assertThat(overflow())
                        .as("sideways scrolling on %s at %d", name, width)
                        .isFalse();
            }
        }
        assertThat(console()).as("console").isEmpty();
        assertThat(requests()).as("requests").isNotEmpty().allMatch(url -> url.startsWith(origin()));
    }

    @Test
    void plansWhatTheFormAsks() throws IOException {
        show("#/planner", "light", 1600);
        await("form.form option[value=vllm]");

        browser.findElement(By.name("model")).clear();
        browser.findElement(By.name("model")).sendKeys("llama-3.1-70b");
        browser.findElements(By.cssSelector("form.form details:not([open]) > summary"))
                .forEach(WebElement::click);
        browser.findElement(By.name("devices")).sendKeys("all");
        new Select(browser.findElement(By.name("emit"))).selectByValue("vllm");
        browser.findElement(By.cssSelector("form.form > button")).click();
        await("tr.chosen");

        assertThat(browser.findElement(By.cssSelector("section[aria-label=Answer] h2"))
                        .getText())
                .contains("llama-3.1-70b", "TP");
        assertThat(browser.findElements(By.cssSelector("section[aria-label=Answer] details summary")))
                .extracting(WebElement::getText)
                .contains("launch.sh");
        assertThat(browser.getCurrentUrl()).contains("model=llama-3.1-70b", "devices=all", "emit=vllm");
        picture("plan-light-1600");
        assertThat(violations()).isEmpty();
        assertThat(console()).isEmpty();
    }

    /// The address of an answer asks the same question again.
    @Test
    void aMissedLimitHasNoCheckMark() {
        show("#/planner?ask=plan&model=llama-3.1-8b&devices=all&maxTtftSeconds=0.001", "light", 1600);
        await("h2.refused");

        WebElement answer = browser.findElement(By.cssSelector("section[aria-label=Answer]"));
        assertThat(answer.findElement(By.tagName("h2")).getText()).isEqualTo("llama-3.1-8b misses a limit");
        assertThat(answer.findElement(By.tagName("table")).getText())
                .contains("misses a limit")
                .doesNotContain("✔");
    }

    @Test
    void aHeadingSortsAndTheAddressKeepsIt() {
        show("#/?view=table", "light", 1600);
        await("tbody tr");
        browser.findElements(By.cssSelector(".sort")).stream()
                .filter(button -> button.getText().equals("power"))
                .findFirst()
                .orElseThrow()
                .click();

        assertThat(browser.getCurrentUrl()).contains("view=table", "sort=-power");
        assertThat(browser.findElement(By.cssSelector("th[aria-sort=descending]"))
                        .getText())
                .startsWith("power");
    }

    /// A server that is stopped keeps its connection.
    @Test
    void aFrozenServerIsShownWithinFiveSecondsAndSoIsTheAgeOfTheLastSample() throws IOException {
        show("#/", "light", 1600);
        await("article.card");
        new WebDriverWait(browser, PATIENCE).until(_ -> text("#status").equals("live"));
        assertThat(text("#age")).matches("just now|[0-9]+ s ago");
        server.signal("STOP");
        try {
            long begun = System.nanoTime();
            new WebDriverWait(browser, PATIENCE).until(_ -> text("#status").startsWith("no sample for"));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
        } finally {
            server.signal("CONT");
        }
        new WebDriverWait(browser, PATIENCE).until(_ -> text("#status").equals("live"));
    }

    private static String text(String selector) {
        return browser.findElement(By.cssSelector(selector)).getText();
    }

    @Test
    void saysWhatIsWrongWithAModel() {
        show("#/planner", "light", 1600);
        await("form.form details");

        browser.findElement(By.name("model")).clear();
        browser.findElement(By.name("model")).sendKeys("no-such-model");
        browser.findElement(By.cssSelector("form.form > button")).click();
        await(".problem");

        assertThat(browser.findElement(By.cssSelector(".problem")).getText()).contains("/api/v1/models");
        // The server's refusal is in the console, and nothing else.
        assertThat(console()).allMatch(line -> line.contains("422"));
    }

    @Test
    void theKeyboardReachesEveryView() {
        show("#/", "light", 1600);
        await("article.card");

        browser.findElement(By.tagName("body")).sendKeys(Keys.TAB);
        assertThat(browser.switchTo().activeElement().getText()).isEqualTo("Skip to content");
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            browser.switchTo().activeElement().sendKeys(Keys.TAB);
            reached.add(browser.switchTo().activeElement().getText());
        }

        assertThat(reached).contains("Overview", "Topology", "Planner", "Fleet");
    }

    @Test
    void namesOfDevicesAreTextAlone() {
        show("#/", "light", 1600);
        await("article.card");

        assertThat(browser.findElement(By.cssSelector("main")).getText()).contains(ServedRecording.HOSTILE_NAME);
        assertThat(browser.getTitle()).isEqualTo("Overview – Muster");
        assertThat(browser.findElements(By.cssSelector("main img"))).isEmpty();
    }

    @Test
    void thePolicyStopsInlineScripts() {
        show("#/", "light", 1600);
        await("article.card");

        Object ran = browser.executeAsyncScript("""
                const done = arguments[0];
                const script = document.createElement("script");
                script.textContent = "window.ran = true";
                document.body.append(script);
                setTimeout(() => done(window.ran === true), 100);
                """);

        assertThat(ran).isEqualTo(false);
        assertThat(console()).isNotEmpty().allMatch(line -> line.contains("Content Security Policy"));
    }

    /// Browsers open six connections to a server, for all tabs together.
    @Test
    void manyTabsLeaveConnectionsForTheOneThatIsSeen() {
        String first = browser.getWindowHandle();
        List<String> tabs = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                tabs.add(browser.switchTo().newWindow(WindowType.TAB).getWindowHandle());
                browser.get(server.address());
                await("article.card .spark path");
            }
        } finally {
            tabs.forEach(tab -> browser.switchTo().window(tab).close());
            browser.switchTo().window(first);
        }
        assertThat(tabs).hasSize(8);
    }

    @Test
    void valuesMoveWithoutBeingAskedFor() {
        show("#/", "light", 1600);
        await("article.card .reading");
        String before = readings();

        new WebDriverWait(browser, PATIENCE).until(_ -> !readings().equals(before));
    }

    private static String readings() {
        return Objects.toString(browser.executeScript(
                "return [...document.querySelectorAll('.reading')].map(one => one.textContent).join()"));
    }

    private static void show(String address, String theme, int width) {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", width < 600));
        browser.get("about:blank");
        browser.manage().logs().get(LogType.BROWSER);
        browser.manage().logs().get(LogType.PERFORMANCE);
        browser.get(server.address() + address);
    }

    private static void await(String selector) {
        new WebDriverWait(browser, PATIENCE)
                .until(driver -> !driver.findElements(By.cssSelector(selector)).isEmpty());
        new WebDriverWait(browser, PATIENCE)
                .until(driver -> Boolean.TRUE.equals(browser.executeScript(
                        "return [...document.images].every(one => one.complete && one.naturalWidth > 0)")));
        // Two frames later what was found is drawn.
        browser.executeAsyncScript("const done = arguments[0];"
                + "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 150)))");
    }

    private static void picture(String name) throws IOException {
        Files.write(PICTURES.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    private static boolean overflow() {
        return Boolean.TRUE.equals(browser.executeScript(
                "return document.documentElement.scrollWidth > document.documentElement.clientWidth"));
    }

    /// The findings of axe-core: the rule and its place.
    @SuppressWarnings("unchecked") // what scripts return is maps and lists
    private static List<String> violations() throws IOException {
        try (InputStream axe = PageTest.class.getResourceAsStream("/axe.min.js")) {
            browser.executeScript(new String(Objects.requireNonNull(axe).readAllBytes(), StandardCharsets.UTF_8));
        }
        return (List<String>) Objects.requireNonNull(browser.executeAsyncScript("""
                const done = arguments[0];
                axe.run().then(found => done(found.violations.map(one =>
                    one.id + ": " + one.nodes.map(node => node.html + " " + node.failureSummary).join(" | "))));
                """));
    }

    private static List<String> console() {
        return browser.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    private static String origin() {
        return server.address().replaceFirst("/$", "");
    }

    private static List<String> requests() {
        return browser.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(entry -> entry.getMessage())
                .filter(message -> message.contains("Network.requestWillBeSent\""))
                .map(message -> message.replaceFirst("(?s).*\"request\":\\{.*?\"url\":\"([^\"]*)\".*", "$1"))
                .filter(url -> !url.startsWith("about:") && !url.startsWith("data:"))
                .toList();
    }
}
