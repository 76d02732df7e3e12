import { dictionary } from '../../../../contract/dictionary.ts'
/** The recipient answered STOP. */
export const OPTED_OUT = '21610'

/** Other codes use Twilio's message. */
const MESSAGES: Readonly<Record<string, string>> = dictionary({
  20003: 'Twilio refuses the account SID and the auth token',
  20005: 'The Twilio account is suspended',
  20404: 'Twilio has no such record',
  20429: 'Twilio receives too many requests from this account: try again later',
  13227: 'The account can’t call this country: enable it in Twilio under Voice Geographic Permissions',
  21210: 'The number to call from does not belong to the account',
  21211: 'The recipient’s number is not a phone number',
  21212: 'The number to send from is not a phone number',
  21214: 'Twilio cannot reach the number',
  21215: 'The account can’t call this country: enable it in Twilio under Voice Geographic Permissions',
  21216: 'The account can’t call this number',
  21217: 'The recipient’s number is not a phone number',
  21219: 'A Twilio trial account only calls verified numbers',
  21220: 'The call has ended',
  21408: 'The account can’t send to this country: enable it in Twilio under Messaging Geographic Permissions',
  21606: 'The number cannot send text messages to this recipient',
  21608: 'A Twilio trial account only sends to verified numbers',
  [OPTED_OUT]: 'The recipient answered STOP and receives no messages from this number',
  21612: 'Twilio cannot send from this number to this recipient',
  21614: 'The recipient’s number is not a mobile number',
  21617: 'The message is too long',
  21620: 'Twilio could not read a file in the message',
  21623: 'The message has too many files',
  30001: 'Too many messages were queued at Twilio',
  30002: 'The Twilio account is suspended',
  30003: 'The recipient’s phone is switched off or out of reach',
  30004: 'The recipient blocks messages',
  30005: 'The recipient’s number is unknown',
  30006: 'The recipient’s number cannot receive text messages',
  30007: 'The recipient’s carrier filtered the message',
  30008: 'The message was not delivered, for an unknown reason',
  30019: 'A file in the message is too large for the recipient’s carrier',
  30032: 'The toll-free number is not verified for text messages',
  30034: 'The number is not registered for text messages from applications (A2P 10DLC)',
  30410: 'The recipient’s carrier did not respond in time',
  30450: 'The recipient receives too many messages at the moment',
})

export const explainCode = (code: string | null): string | null =>
  code === null ? null : (MESSAGES[code] ?? null)
