import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { FormFailure } from '../failure.tsx'
import { Select } from './select.tsx'

interface AddMemberFormProps {
  label: string
  action: string
  members: readonly { id: string; name: string }[]
  failure: string | undefined
  busy: boolean
  onAdd: (userId: string) => void
  children?: ReactNode
}

/** An added member disappears from the options, which clears the choice. */
export function AddMemberForm({
  label,
  action,
  members,
  failure,
  busy,
  onAdd,
  children,
}: AddMemberFormProps) {
  const [chosen, setChosen] = useState('')
  const userId = members.some(({ id }) => id === chosen) ? chosen : ''
  return (
    <form
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (userId && !busy) onAdd(userId)
      }}
    >
      <FormFailure>{failure}</FormFailure>
      <div className="flex flex-wrap items-end gap-8">
        <div className="min-w-0 flex-1">
          <Select label={label} value={userId} onChange={(event) => setChosen(event.target.value)}>
            <option value="">Select a member</option>
            {members.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </div>
        {children}
        <Button type="submit" look="primary" busy={busy} disabled={!userId}>
          {action}
        </Button>
      </div>
    </form>
  )
}
