import { carrierCallbacks as contract } from '../../../../contract/telephony/carrier-callbacks.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { notBuilt } from '../not-built.ts'

/** The requests of the carrier: each handler is in the folder of what it changes. */
export const callbacksPart = (_options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.voice, notBuilt),
    handle(contract.status, notBuilt),
    handle(contract.sms, notBuilt),
    handle(contract.outboundTargetStatus, notBuilt),
    handle(contract.conferenceBridge, notBuilt),
    handle(contract.transferTarget, notBuilt),
    handle(contract.relayEnded, notBuilt),
    handle(contract.dialEnded, notBuilt),
    handle(contract.recording, notBuilt),
  ],
})
