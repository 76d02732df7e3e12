import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { buttonClass } from '../../../components/button.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { NumberOptions } from '../numbers/number-options.tsx'
import type { PhoneNumber } from '../telephony-queries.ts'
import { MessageComposer } from './message-composer.tsx'

export function NewMessage({ numbers }: { numbers: PhoneNumber[] }) {
  const [to, setTo] = useState('')
  const [fromId, setFromId] = useState(numbers[0]!.id)
  const navigate = useNavigate()
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => fields.current?.querySelector('input')?.focus(), [])
  const number = numbers.find(({ id }) => id === fromId) ?? numbers[0]!
  return (
    <>
      <header className="flex min-h-48 shrink-0 items-center gap-8 border-neutral-6 border-b px-8 py-8 md:px-24">
        <Link
          to="/phone/messages"
          search={{}}
          aria-label="All conversations"
          className={`${buttonClass('quiet', 'icon')} md:hidden`}
        >
          <ArrowLeft aria-hidden className="icon" />
        </Link>
        <h2 className="font-strong">New message</h2>
      </header>
      <div
        ref={fields}
        className="flex min-h-0 max-w-dialog flex-1 flex-col gap-16 overflow-y-auto px-16 py-16 md:px-24"
      >
        <TextField
          label="To"
          type="tel"
          placeholder="+4930123456"
          hint="Include the country code. Only message people who agreed to it."
          autoComplete="off"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        <Select label="From" value={number.id} onChange={(event) => setFromId(event.target.value)}>
          <NumberOptions numbers={numbers} by="id" />
        </Select>
      </div>
      <MessageComposer
        number={number}
        to={to}
        onSent={(sms) =>
          navigate({
            to: '/phone/messages',
            search: { number: sms.numberId, peer: sms.to },
            replace: true,
          })
        }
      />
    </>
  )
}
