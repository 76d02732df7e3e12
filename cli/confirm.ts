import { createInterface } from 'node:readline/promises'
import { Failure } from './failure.ts'

/** Without a terminal there is no person to ask. */
export const canConfirm = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks a person to confirm; any reply other than yes ends the command. */
export async function confirm(question: string): Promise<void> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const reply = await prompt.question(`${question} [y/N] `)
  prompt.close()
  if (!/^y(es)?$/i.test(reply.trim())) throw new Failure('interrupted', 'Canceled')
}
