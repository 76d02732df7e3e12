import { calls as contract } from '../../../../contract/telephony/calls.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { notBuilt } from '../not-built.ts'

export const callsPart = (_options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, notBuilt),
    handle(contract.get, notBuilt),
    handle(contract.create, notBuilt),
    handle(contract.hangUp, notBuilt),
    handle(contract.transfer, notBuilt),
    handle(contract.whisper, notBuilt),
  ],
})
