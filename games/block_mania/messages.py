"""All steps and actions of this ruleset as unions, and the state with its agenda typed: so it reads back from JSON."""

from games.block_mania.actions import (
    answers,
    assaulting,
    cards,
    command,
    defending,
    dropping,
    equipment,
    minor,
    moving,
    resolving,
    setup,
    shooting,
)
from games.block_mania.equipment import DrawTokens, KeepEquipment
from games.block_mania.state import State
from games.block_mania.steps import assault, bombs, defensive, endphase, justice_units, phases, window
from games.block_mania.steps import command as command_steps
from games.block_mania.steps import minor as minor_steps
from games.block_mania.steps import moving as moving_steps
from games.block_mania.steps import setup as setup_steps
from games.block_mania.steps import shooting as shooting_steps
from games.kernel import Resign

AnyStep = (
    setup_steps.ChooseBlock
    | setup_steps.FirstBlockers
    | setup_steps.PlaceBlocker
    | setup_steps.SetUpDone
    | phases.StartTurn
    | phases.Enter
    | phases.EndTurn
    | command_steps.Justice
    | command_steps.RollCommand
    | command_steps.Command
    | command_steps.StartActivation
    | command_steps.Activation
    | command_steps.EndCards
    | command_steps.Discard
    | moving_steps.FindTokens
    | moving_steps.TakeToken
    | moving_steps.AfterMove
    | moving_steps.Ride
    | moving_steps.AnswerElevator
    | moving_steps.Arrive
    | DrawTokens
    | KeepEquipment
    | window.Window
    | defensive.Defensive
    | bombs.CombatBombs
    | bombs.ChooseThermoFire
    | bombs.Gas
    | justice_units.CombatJustice
    | justice_units.ChooseJusticeTarget
    | shooting_steps.Shoot
    | shooting_steps.TargetStep
    | shooting_steps.Shot
    | shooting_steps.ChooseFire
    | shooting_steps.Aftermath
    | assault.Assault
    | assault.BeginFight
    | assault.Fight
    | assault.ChooseAssaultFire
    | assault.EndFight
    | minor_steps.Loot
    | minor_steps.Arson
    | minor_steps.Scrawl
    | minor_steps.Firefight
    | endphase.EndVirus
    | endphase.EndFire
    | endphase.EndCatastrophe
)

AnyAction = (
    setup.ChooseBlock
    | setup.PlaceBlocker
    | cards.PlayJustice
    | cards.PlayMania
    | cards.Pass
    | command.DeployBlocker
    | command.Activate
    | command.BuyMp
    | command.EndActivation
    | command.EndCommand
    | moving.Walk
    | moving.RideElevator
    | moving.RideGravChute
    | moving.RideSkyRail
    | moving.RideMegaWay
    | moving.RidePedway
    | moving.Fly
    | moving.SuckerSwing
    | equipment.DrawEquipment
    | equipment.GiveEquipment
    | equipment.DeployHeavy
    | dropping.Drop
    | equipment.ReleaseVirus
    | equipment.ReleaseGas
    | equipment.TogglePower
    | answers.AnswerElevator
    | answers.KeepEquipment
    | answers.TakeToken
    | answers.Discard
    | defending.DefensiveFire
    | defending.PassDefensiveFire
    | shooting.Aim
    | shooting.Drill
    | shooting.EndStep
    | shooting.Shoot
    | shooting.AttackBlock
    | shooting.ShootSkyRail
    | shooting.ThrowFireBombs
    | shooting.ShootUnit
    | shooting.ChooseFireAction
    | assaulting.Fight
    | assaulting.Charge
    | assaulting.ChooseAssaultFireAction
    | minor.Loot
    | minor.Arson
    | minor.Scrawl
    | minor.Firefight
    | resolving.ChooseThermoFireAction
    | resolving.ChooseJusticeTargetAction
    | Resign
)


class Game(State, kw_only=True):
    """The state with its agenda typed."""

    agenda: list[AnyStep] = []
