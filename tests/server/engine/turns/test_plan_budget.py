"""The budget of plans: short beats, rests between them, and commands first."""

from gloam_server.engine.turns.plan_budget import BATCH_MS, PLANS_MAX, REST_MS_MAX, PlanBudget


def run(budget: PlanBudget, now_ms: int) -> int:
    """Begin a beat and run plans as long as the budget admits them; return how many."""
    budget.begin(now_ms)
    turns = 0
    while budget.admits(now_ms):
        budget.spend(now_ms)
        turns += 1
    return turns


def test_a_short_beat_leaves_the_budget_whole() -> None:
    budget = PlanBudget()
    assert run(budget, 1_000) == PLANS_MAX
    budget.end(3, 1_003)
    assert run(budget, 1_006) == PLANS_MAX


def test_long_beat_halves_next_down() -> None:
    """A long beat halves the next down to one and short ones raise it again."""
    budget, now_ms, sizes = PlanBudget(), 1_000, []
    for took_ms in [BATCH_MS + 1] * 5 + [BATCH_MS] * 2 + [BATCH_MS // 2 - 1] * 3:
        sizes.append(run(budget, now_ms))
        budget.end(took_ms, now_ms + took_ms)
        now_ms += 2 * took_ms
    assert sizes == [8, 4, 2, 1, 1, 1, 1, 1, 2, 3]


def test_plans_leave_server_free_long_beat_took() -> None:
    """Plans leave the server free for as long as their beat took."""
    budget = PlanBudget()
    run(budget, 1_000)
    budget.end(30, 1_030)
    assert run(budget, 1_059) == 0
    assert budget.look_at_ms(1_059) == 1_060
    assert run(budget, 1_060) == PLANS_MAX // 2


def test_plans_rest_no_longer_than_a_bound() -> None:
    """bound: REST_MS_MAX."""
    budget = PlanBudget()
    run(budget, 1_000)
    budget.end(5_000, 6_000)
    assert run(budget, 6_000 + REST_MS_MAX - 1) == 0
    assert run(budget, 6_000 + REST_MS_MAX) > 0


def test_command_goes_alone_unless_plans_waited() -> None:
    """A command goes alone unless plans have waited long."""
    budget = PlanBudget()
    run(budget, 1_000)
    budget.end(3, 1_003)
    budget.begin(1_010)
    budget.give_way()
    assert not budget.admits(1_010)
    budget.end(3, 1_013)
    budget.begin(1_000 + REST_MS_MAX)
    budget.give_way()
    assert budget.admits(1_000 + REST_MS_MAX)
