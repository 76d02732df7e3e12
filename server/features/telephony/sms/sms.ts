import { sms as contract } from '../../../../contract/telephony/sms.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { notBuilt } from '../not-built.ts'

export const smsPart = (_options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, notBuilt),
    handle(contract.conversations, notBuilt),
    handle(contract.get, notBuilt),
    handle(contract.send, notBuilt),
    handle(contract.optOuts, notBuilt),
    handle(contract.addOptOut, notBuilt),
    handle(contract.removeOptOut, notBuilt),
  ],
})
