import { calls as contract } from '../../../../contract/telephony/calls.ts'
import { handle } from '../../../endpoint/route.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { makeCall, requestCall, requestCallJob } from './make-call.ts'
import { getCall, listCalls } from './read-calls.ts'
import { sweepCalls, sweepJob } from './sweep.ts'

export const callsPart = (options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, listCalls),
    handle(contract.get, getCall),
    handle(contract.create, makeCall(options)),
  ],
  jobs: [onJob(requestCallJob, requestCall(options)), onJob(sweepJob, sweepCalls(options))],
  schedules: [{ job: sweepJob, cron: '* * * * *' }],
})
