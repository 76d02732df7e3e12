import { phoneNumbers as contract } from '../../../../contract/telephony/phone-numbers.ts'
import { handle } from '../../../endpoint/route.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { checkNumbers, checkNumbersJob, numberReleased, removeUrls } from './background.ts'
import { changeNumber, checkNumber, releaseNumber, repairNumber } from './change-number.ts'
import { importNumber } from './import-number.ts'
import { readNumber, readNumbers } from './read-numbers.ts'

export const numbersPart = (options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, (ctx, input) => readNumbers(options, ctx, input)),
    handle(contract.import, (ctx, input) => importNumber(options, ctx, input)),
    handle(contract.get, (ctx, { id }) => readNumber(options, ctx, id)),
    handle(contract.update, (ctx, input) => changeNumber(options, ctx, input)),
    handle(contract.check, (ctx, input) => checkNumber(options, ctx, input)),
    handle(contract.repair, (ctx, input) => repairNumber(options, ctx, input)),
    handle(contract.release, releaseNumber),
  ],
  jobs: [onJob(numberReleased, removeUrls(options)), onJob(checkNumbersJob, checkNumbers(options))],
  schedules: [{ job: checkNumbersJob, cron: '11 * * * *' }],
})
