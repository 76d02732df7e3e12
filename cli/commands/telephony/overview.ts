import { counted } from '../../../contract/counted.ts'
import { telephony } from '../../../contract/telephony/telephony.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { print, printData, printMessage, sanitize, style } from '../../terminal.ts'
import { costText } from '../agents/runs/labels.ts'
import { printCalls } from './calls/list.ts'
import { printNumbers } from './numbers.ts'

export async function showOverview(
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const overview = await parseResponse(server, telephony.overview, client.telephony.overview())
  if (options.json) return printData(overview)
  const { configured, numbers, activeCalls, lastDay, days, problems } = overview
  if (numbers.length === 0)
    return printMessage(
      configured
        ? 'No numbers. Import one with `npx atrium telephony numbers import +49…`.'
        : 'No account at a carrier. Connect one with `npx atrium connections connect twilio`.',
    )
  printNumbers(numbers)
  if (activeCalls.length > 0) {
    heading('In progress')
    printCalls(activeCalls)
  }
  if (problems.length > 0) {
    heading('Problems')
    for (const { message } of problems) print(style('red', sanitize(message), process.stdout))
  }
  print()
  const { calls, missed, received, sent, failed } = lastDay
  print(
    `Last 24 hours  ${counted(calls, 'call')}, ${missed} missed; ${counted(received, 'message')} received, ${sent} sent, ${failed} failed`,
  )
  const total = (field: 'calls' | 'minutes' | 'messages') => days.reduce((sum, day) => sum + day[field], 0)
  const amount = days.reduce((sum, { cost }) => sum + Number(cost), 0).toFixed(6)
  print(
    `Last 30 days   ${counted(total('calls'), 'call')}, ${counted(total('minutes'), 'minute')}, ${counted(total('messages'), 'message')}, ${costText({ amount })}`,
  )
}

const heading = (text: string) => print(`\n${style('bold', text, process.stdout)}`)
