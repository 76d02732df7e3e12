import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { Button } from '../button.tsx'
import { CONTROL, Field, type FieldTexts } from './field.tsx'

export function PasswordField({ label, hint, error, limit, ...input }: FieldTexts & ComponentProps<'input'>) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={error} limit={limit} value={input.value}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            className={`h-32 pr-32 ${CONTROL}`}
          />
          <Button
            look="quiet"
            size="small-icon"
            aria-label={shown ? t`Hide characters` : t`Show characters`}
            aria-pressed={shown}
            className="absolute top-4 right-4"
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff aria-hidden className="icon" /> : <Eye aria-hidden className="icon" />}
          </Button>
        </div>
      )}
    </Field>
  )
}
