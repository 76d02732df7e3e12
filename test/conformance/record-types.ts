import type Stripe from 'stripe'
import type { CallInstance } from 'twilio/lib/rest/api/v2010/account/call.js'
import type { IncomingPhoneNumberInstance } from 'twilio/lib/rest/api/v2010/account/incomingPhoneNumber.js'
import type { MessageInstance } from 'twilio/lib/rest/api/v2010/account/message.js'
import type { RecordingInstance } from 'twilio/lib/rest/api/v2010/account/recording.js'
import type {
  CallResource,
  MessageResource,
  NumberRecord,
  RecordingResource,
} from '../../server/testing/carrier/records.ts'
import type { Intent, Refund } from '../../server/testing/fakes/stripe.ts'

/** Compiles only while the records of our fake servers fit the types of the vendors' packages. */

/** A record as it is sent: dates are text, and every field may be null. */
type Wire<T> = { [Key in keyof T]: (T[Key] extends Date ? string : T[Key]) | null }
type Fits<_Vendor, _Record extends _Vendor> = true

export type Checked = [
  Fits<Wire<ConstructorParameters<typeof IncomingPhoneNumberInstance>[1]>, NumberRecord>,
  Fits<Wire<ConstructorParameters<typeof CallInstance>[1]>, CallResource>,
  Fits<Wire<ConstructorParameters<typeof MessageInstance>[1]>, MessageResource>,
  Fits<Wire<ConstructorParameters<typeof RecordingInstance>[1]>, RecordingResource>,
  Fits<Pick<Stripe.PaymentIntent, keyof Omit<Intent, 'latest_charge' | 'last_payment_error'>>, Intent>,
  Fits<Pick<Stripe.Charge, 'id' | 'receipt_url'>, NonNullable<Intent['latest_charge']>>,
  Fits<Pick<Stripe.Refund, keyof Refund>, Refund>,
]
