import { routing as contract } from '../../../../contract/telephony/routing.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { notBuilt } from '../not-built.ts'

export const routingPart = (_options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, notBuilt),
    handle(contract.create, notBuilt),
    handle(contract.update, notBuilt),
    handle(contract.remove, notBuilt),
    handle(contract.try, notBuilt),
  ],
})
