import { measureSms } from '../../../../contract/telephony/sms-segments.ts'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'

const ENCODING_HINTS = {
  'GSM-7': 'Each segment has up to 160 characters.',
  'UCS-2':
    'A character that is not in the GSM alphabet, such as an emoji or a curly quote, limits each segment to 70 characters.',
}

/** The segments that the carrier would charge for this text. */
export function SegmentCounter({ body }: { body: string }) {
  const length = Array.from(body).length
  if (length === 0) return null
  if (length > TELEPHONY_LIMITS.smsBody)
    return (
      <span className="text-12 text-bad-text tabular-nums">
        {length.toLocaleString('en')} of {TELEPHONY_LIMITS.smsBody.toLocaleString('en')} characters
      </span>
    )
  const { encoding, segments, left } = measureSms(body)
  return (
    <span
      title={ENCODING_HINTS[encoding]}
      className={`text-12 tabular-nums ${encoding === 'UCS-2' ? 'text-warning-text' : 'text-neutral-11'}`}
    >
      {segments === 1 ? '1 segment' : `${segments} segments`} · {encoding} · {left} left
    </span>
  )
}
