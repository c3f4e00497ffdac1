"""A person at a browser: headless Chromium, driven through its own driver."""
import json
import pathlib
import tempfile

from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException, TimeoutException, WebDriverException
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PANELS = ("start", "sms", "slider", "factor", "confirm", "denied", "expired", "success")


class Browser:
    """A new browser without cookies. Names resolve to loopback only, so that nothing of the page can come from another host."""

    def __init__(self, artefacts, language="en-US", width=1000, height=900, trusts_everything=False):
        self.artefacts = pathlib.Path(artefacts)
        self.profile = tempfile.TemporaryDirectory()
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        options.accept_insecure_certs = trusts_everything
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        for argument in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
            f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}", f"--lang={language}",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        ):
            options.add_argument(argument)
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        # The window of headless Chromium cannot be narrower than 500 pixels; the emulated screen of a phone can.
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()
        self.profile.cleanup()

    def open(self, address):
        self.driver.get(address)

    def find(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        return self.find(name).text

    def until(self, holds, seconds=60, what="the page"):
        """Waits until `holds(browser)` is true, and gives its value."""
        def seen(_):
            try:
                return holds(self)
            except WebDriverException:
                return False

        try:
            return WebDriverWait(self.driver, seconds, poll_frequency=0.1).until(seen)
        except TimeoutException:
            self.picture("failure")
            raise AssertionError(f"{what} did not come in {seconds} s: {self.said()}") from None

    def said(self):
        try:
            return f"{self.driver.current_url} {self.driver.find_element(By.TAG_NAME, 'body').text[:500]!r} {self.console()}"
        except WebDriverException as failure:
            return str(failure)

    @property
    def panel(self):
        """The section that the page shows."""
        return next((name for name in PANELS if self.find(name).is_displayed()), None)

    def until_panel(self, *names, seconds=60):
        return self.until(lambda page: page.panel in names and page.panel, seconds, f"the panel {' or '.join(names)}")

    def until_text(self, name, seconds=60):
        return self.until(lambda page: page.text(name), seconds, f"a text in #{name}")

    def type(self, name, text):
        field = self.find(name)
        field.clear()
        field.send_keys(text)

    def press(self, name):
        self.find(name).click()

    def keys(self, *keys):
        """Presses keys, wherever the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    @property
    def focus(self):
        return self.driver.switch_to.active_element.get_attribute("id")

    def evaluate(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, script, *arguments):
        """The value with which an asynchronous script calls its last argument."""
        return self.driver.execute_async_script(script, *arguments)

    def images(self):
        """The slider's two pictures, as base64."""
        def picture(name):
            source = self.find(name).get_attribute("src") or ""
            return source.partition("base64,")[2]

        return picture("scene"), picture("piece")

    def drag(self, pixels, step=12):
        """Drags the handle by so many pixels of the screen, as a hand does: in steps, not quite straight."""
        moves = ActionChains(self.driver, duration=20).click_and_hold(self.find("handle"))
        left, row = pixels, 0
        while left:
            part = min(step, left)
            row = 1 - row
            moves.move_by_offset(part, 1 if row else -1)
            left -= part
        moves.release().perform()

    def picture(self, name):
        self.artefacts.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(self.artefacts / f"{name}.png"))

    def console(self):
        """What the console said since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    @property
    def dialogue(self):
        """The text of a dialogue that a script opened; None without one."""
        try:
            return self.driver.switch_to.alert.text
        except NoAlertPresentException:
            return None

    def cookies(self):
        return {cookie["name"]: cookie for cookie in self.driver.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]}


def parsed(text):
    return json.loads(text or "{}")


__all__ = ["Browser", "Keys", "parsed"]
