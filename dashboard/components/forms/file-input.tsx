import type { RefObject } from 'react'

interface FileInputProps {
  /** A button, a menu or a shortcut clicks it. */
  ref: RefObject<HTMLInputElement | null>
  label: string
  accept?: string
  multiple?: boolean
  directory?: boolean
  /** The list empties when this returns. */
  onFiles: (files: FileList) => void
}

/** Opens the browser's file picker, and is itself invisible. */
export const FileInput = ({ ref, label, accept, multiple, directory, onFiles }: FileInputProps) => (
  <input
    ref={ref}
    type="file"
    hidden
    aria-label={label}
    accept={accept}
    multiple={multiple}
    {...(directory && { webkitdirectory: '' })}
    onChange={({ currentTarget: input }) => {
      if (input.files?.length) onFiles(input.files)
      // Lets the user choose the same file again.
      input.value = ''
    }}
  />
)
