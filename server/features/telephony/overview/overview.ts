import { telephony as contract } from '../../../../contract/telephony/telephony.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { notBuilt } from '../not-built.ts'

export const overviewPart = (_options: TelephonyOptions): Part => ({
  routes: [handle(contract.overview, notBuilt)],
})
