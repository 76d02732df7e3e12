import { phoneNumbers as contract } from '../../../../contract/telephony/phone-numbers.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { notBuilt } from '../not-built.ts'

export const numbersPart = (_options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, notBuilt),
    handle(contract.import, notBuilt),
    handle(contract.get, notBuilt),
    handle(contract.update, notBuilt),
    handle(contract.check, notBuilt),
    handle(contract.repair, notBuilt),
    handle(contract.release, notBuilt),
  ],
})
