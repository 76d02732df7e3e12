import { routing as contract } from '../../../../contract/telephony/routing.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { createRule, deleteRule, listRules, updateRule } from './manage-rules.ts'
import { tryRules } from './try-rules.ts'

export const routingPart = (_options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, listRules),
    handle(contract.create, createRule),
    handle(contract.update, updateRule),
    handle(contract.remove, deleteRule),
    handle(contract.try, tryRules),
  ],
})
