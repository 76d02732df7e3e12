import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage, fieldMessage } from '../../api/explain.ts'
import { createRequestKey } from '../../state/random-id.ts'

interface CreateDialog<Created> {
  /** `entryKey` returns the idempotency key: the same for a repeated attempt. */
  create: (keyOf: (request: unknown) => string) => Promise<Created>
  onCreated: (created: Created) => unknown
  onClose: () => void
  /** Whether a field already shows the error. */
  isFieldError?: (error: Error | null) => boolean
}

/** `form` has the props for its `FormDialog`. */
export function useCreateDialog<Created>({
  create,
  onCreated,
  onClose,
  isFieldError,
}: CreateDialog<Created>) {
  const [requestKey] = useState(createRequestKey)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => create(requestKey.of),
    onSuccess: onCreated,
  })
  return {
    error,
    errorOf: (field: string) => fieldMessage(error, field),
    form: {
      failure: isFieldError?.(error) ? undefined : failureMessage(error),
      busy: isPending,
      onSubmit: () => mutate(),
      onClose,
    },
  }
}
