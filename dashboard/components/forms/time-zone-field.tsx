import { t } from '../../../contract/text.ts'
import { Combobox } from './combobox.tsx'
import { browserTimeZone, matchTimeZones, zoneLabel, zoneOffset } from './time-zones.ts'

interface TimeZoneFieldProps {
  value: string
  onChange: (timeZone: string) => void
  error?: string
}

const ZONES = Intl.supportedValuesOf('timeZone')

/** Finds a zone by name, city or offset; the browser's own comes first. */
export function TimeZoneField({ value, onChange, error }: TimeZoneFieldProps) {
  const ownZone = browserTimeZone()
  return (
    <Combobox
      label="Time zone"
      text={zoneLabel(value)}
      match={(search) => matchTimeZones(search, { all: ZONES, first: [ownZone, value, 'UTC'] })}
      keyOf={(zone) => zone}
      isChosen={(zone) => zone === value}
      onChoose={onChange}
      noMatch={t`No matching time zone.`}
      error={error}
    >
      {(zone) => (
        <>
          <span className="min-w-0 flex-1 truncate">
            {zoneLabel(zone)}
            {zone === ownZone && <span className="text-neutral-11"> · this browser</span>}
          </span>
          <span className="shrink-0 text-12 text-neutral-11 tabular-nums">{zoneOffset(zone)}</span>
        </>
      )}
    </Combobox>
  )
}
