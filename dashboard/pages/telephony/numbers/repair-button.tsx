import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../components/button.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { cacheNumber, telephonyApi } from '../telephony-queries.ts'
import { numberState } from './number-labels.ts'

interface RepairButtonProps {
  numberId: string
  size?: 'normal' | 'small'
}

/** Sets the number's URLs at the carrier again. */
export function RepairButton({ numberId: id, size }: RepairButtonProps) {
  const repair = useMutation({
    mutationFn: () => telephonyApi.phoneNumbers.repair({ id }),
    onSuccess: (number) => {
      const { isRepairable, label } = numberState(number)
      toast(
        isRepairable
          ? withNames`${number.e164}: ${label}`
          : withNames`${number.e164} now points to this server`,
      )
      return cacheNumber(number)
    },
    onError: toastFailure,
  })
  return (
    <Button size={size} busy={repair.isPending} onClick={() => repair.mutate()}>
      Repair
    </Button>
  )
}
