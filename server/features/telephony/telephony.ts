import { emptyProject, type Feature } from '../../feature.ts'
import { fill } from '../../hooks.ts'
import { onJob } from '../../jobs/job-handler.ts'
import { callRunEnded, callTools, hasPhoneNumber } from '../agents/runs/runs.ts'
import { connectionRevoked } from '../connections/connections/connections.ts'
import { browserCallsPart } from './browser-calls/browser-calls.ts'
import { loadCallTools } from './call-tools.ts'
import { callbacksPart } from './callbacks/callbacks.ts'
import { callsPart } from './calls/calls.ts'
import { controlPart } from './control-calls.ts'
import { costsPart } from './costs/costs.ts'
import type { TelephonyOptions } from './dependencies.ts'
import { emptyTelephony } from './empty-project.ts'
import { stopConnectionNumbers } from './numbers/background.ts'
import { numbersPart } from './numbers/numbers.ts'
import { hasActiveNumber } from './numbers/queries.ts'
import { overviewPart } from './overview/overview.ts'
import { recordingsPart } from './recordings/recordings.ts'
import { relayPart } from './relay/relay.ts'
import { routingPart } from './routing/routing.ts'
import { smsPart } from './sms/sms.ts'
import { transferPart } from './transfer/transfer.ts'
import { voiceAgentsPart } from './voice-agents/voice-agents.ts'

export { hasActiveNumber, hasNumber } from './numbers/queries.ts'

/**
 * Phone numbers, calls and text messages that agents answer. Each folder imports only earlier ones: carrier; numbers,
 * costs, routing; calls; recordings, relay, sms; transfer, voice-agents,
 * browser-calls; overview. The entry points are above them: `callbacks` for the carrier, `control-calls` for members,
 * `call-tools` for agents.
 */
export function telephony(options: TelephonyOptions): Feature {
  const parts = [
    overviewPart(options),
    numbersPart(options),
    routingPart(options),
    callsPart(options),
    controlPart(options),
    smsPart(options),
    callbacksPart(options),
    voiceAgentsPart(options),
    costsPart(options),
    relayPart(options),
    browserCallsPart(options),
    transferPart(options),
    recordingsPart(options),
  ]
  return {
    routes: parts.flatMap(({ routes }) => routes),
    sockets: parts.flatMap(({ sockets = [] }) => sockets),
    jobs: [
      ...parts.flatMap(({ jobs = [] }) => jobs),
      onJob(callRunEnded, async (ctx, run) => {
        for (const { runEnded } of parts) await runEnded?.(ctx, run)
      }),
    ],
    schedules: parts.flatMap(({ schedules = [] }) => schedules),
    start: async (runtime) => {
      const tasks = await Promise.all(parts.flatMap(({ start }) => start?.(runtime) ?? []))
      return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) }
    },
    fills: [
      fill(emptyProject, emptyTelephony),
      fill(callTools, loadCallTools),
      fill(hasPhoneNumber, hasActiveNumber),
      fill(connectionRevoked, stopConnectionNumbers),
    ],
    recover: async (pool, now) =>
      void (await Promise.all(parts.flatMap(({ recover }) => recover?.(pool, now) ?? []))),
  }
}
