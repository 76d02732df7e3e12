import { Folder } from 'lucide-react'
import { NameInput } from '../../../../components/forms/name-input.tsx'

/** The name input of a new folder, as a row above the list. */
export function NewFolder({ onDone }: { onDone: (name: string | undefined) => void }) {
  return (
    <div className="flex h-row items-center gap-8 border-neutral-6 border-b bg-accent-wash px-16 md:px-24">
      <Folder aria-hidden className="icon text-accent-text" />
      <NameInput label="New folder name" name="" onDone={onDone} />
    </div>
  )
}
