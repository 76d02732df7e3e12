import { createMachine, type Machine } from './machine.ts'
import type { ToProcess, Turn } from './messages.ts'

/** Runs one machine at a time. Answers each message with one turn. */
let machine: Machine | null = null

process.on('message', async (message: ToProcess) => {
  if (message.type === 'end') {
    machine?.dispose()
    machine = null
    return
  }
  if (message.type === 'start') {
    machine?.dispose()
    machine = await createMachine(message.job)
    send(machine.start())
  } else send(machine!.hand(message.result))
})
process.on('disconnect', () => process.exit())

const send = (turn: Turn) => process.send!(turn)
