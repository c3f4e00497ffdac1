"""One turn of a loop, from a state that an invariant describes to the next arrival at the loop's head."""
from calls.machine import Machine
from ir.types import size_of
from machine.values import Unproven


class Loop:
    """The loop number `index` of a function: its head is the block that tests the condition, named by clang's front end."""

    def __init__(self, module, function, index, routines=None):
        self.module, self.function, self.routines = module, module.functions['@' + function], routines or {}
        heads = [label for label in self.function.blocks if label.startswith(('%for.cond', '%while.cond'))]
        if index >= len(heads):
            raise Unproven('%s has no loop %d' % (function, index))
        self.head = heads[index]

    def machine(self, decisions=()):
        return Machine(self.module, dict(self.routines), decisions)

    def locals(self, machine):
        """Registers with memory for each local variable, and the parameters' own registers."""
        registers = {}
        for instructions in self.module.body(self.function).values():
            for instruction in instructions:
                if instruction.op == 'alloca':
                    registers[instruction.target] = machine.memory.region(instruction.target.lstrip('%'))
        return registers

    def counter(self):
        """The variable that the head loads first."""
        first = self.module.body(self.function)[self.head][0]
        return first.operands[0][1][1]

    def turn(self, machine, registers):
        """Runs from the head until the head comes again. Returns whether it did; else `returned` is what the function returns."""
        visits = []

        def arrive(machine, registers):
            visits.append(1)
            return len(visits) == 2
        machine.heads[self.function.name.lstrip('@'), self.head.lstrip('%')] = arrive
        self.returned = machine.run(self.function, registers, self.head)
        return len(visits) == 2

    def arrive(self, machine, arguments):
        """Runs from the function's beginning until the head; returns the registers."""
        found = []
        machine.heads[self.function.name.lstrip('@'), self.head.lstrip('%')] = lambda machine, registers: found.append(registers) or True
        machine.enter(self.function, arguments)
        return found[0]


def set_local(machine, registers, name, value, kind):
    machine.memory.store(registers['%' + name], value, size_of(kind))


def get_local(machine, registers, name, kind):
    return machine.memory.load(registers['%' + name], kind)
