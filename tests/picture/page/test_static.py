"""The page without its script: its sentences and its source can be read."""

import pytest
from selenium.webdriver.common.by import By

from tests.support.page import NET


@pytest.fixture
def bare(page_of, chromium):
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    yield page_of(NET).open()
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_steps_and_source_are_there(bare):
    steps = bare.texts("#steps li")
    assert any(step.startswith("matmul_grad takes") for step in steps)
    assert "paddle.tanh(x)" in bare.one("#source").text


def test_no_control_is_shown_that_would_do_nothing(bare):
    controls = bare.driver.find_elements(By.CSS_SELECTOR, "button, select, input")
    assert controls
    assert not any(control.is_displayed() for control in controls)
