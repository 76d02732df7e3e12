import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { fieldMessage, isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { CodeField } from '../../../components/forms/code-field.tsx'
import { useSecurityRefresh } from './security-queries.ts'

interface AuthenticatorSetupDialogProps {
  secret: string
  uri: string
  onCodes: (codes: string[]) => void
  onClose: () => void
}

/** Enables two-factor sign-in only after a valid code proves that the app has the secret. */
export function AuthenticatorSetupDialog({ secret, uri, onCodes, onClose }: AuthenticatorSetupDialogProps) {
  const [code, setCode] = useState('')
  const refresh = useSecurityRefresh()
  const confirm = useMutation({
    mutationFn: (value: string) => api.security.confirmTotp({ code: value }),
    onSuccess: ({ recoveryCodes }) => {
      onCodes(recoveryCodes)
      refresh()
    },
    onError: () => setCode(''),
  })
  const submit = (value: string) => {
    if (!confirm.isPending) confirm.mutate(value)
  }
  const error = confirm.error ? errorText(confirm.error) : undefined
  return (
    <Dialog title="Set up authenticator app" onClose={onClose}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          submit(code)
        }}
      >
        <p className="text-neutral-11">
          Scan the QR code with an app such as 1Password, Google Authenticator or Aegis, then enter the code
          it shows.
        </p>
        <div className="flex items-center gap-16 max-sm:flex-col max-sm:items-start">
          <QrCode text={uri} label="QR code for your authenticator app" />
          <div className="flex min-w-0 flex-col gap-4">
            <span className="font-medium text-13">Can’t scan the code?</span>
            <span className="text-12 text-neutral-11">Enter this secret in the app:</span>
            <output aria-label="Secret" className="break-all font-mono text-13">
              {secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </output>
            <span className="-ml-12">
              <Copy value={secret} what="secret" withLabel />
            </span>
          </div>
        </div>
        <CodeField
          label="Code"
          data-autofocus
          value={code}
          error={error}
          onChange={setCode}
          onComplete={submit}
        />
        <div className="flex justify-end gap-8">
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={confirm.isPending}>
            Confirm
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function errorText(error: Error): string | undefined {
  if (isDeclinedStepUp(error)) return undefined
  if (fieldMessage(error, 'code')) return t`Incorrect code. Enter the current code from your app.`
  return shortMessage(error)
}

/** Dark on light in both themes: many scanners don't read inverted codes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const qrCode = useQuery({
    queryKey: ['qr', text],
    queryFn: () => draw(text),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <div className="aspect-square w-qr shrink-0 rounded-control border border-neutral-6 bg-on-accent p-8">
      {qrCode.data && (
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${qrCode.data.size} ${qrCode.data.size}`}
          shapeRendering="crispEdges"
          className="size-full"
        >
          <path d={qrCode.data.path} fill="#000" />
        </svg>
      )}
    </div>
  )
}

async function draw(text: string) {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { border: 1, ecc: 'M' })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { path, size }
}
