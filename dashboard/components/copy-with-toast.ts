import { copyText } from './copy.tsx'
import { toast } from './toast.tsx'

/** Copies from a menu, which is gone before it could say so in its own place. */
export async function copyWithToast(text: string, what: string) {
  toast((await copyText(text)) ? `Copied ${what}` : `The browser refused to copy ${what}`)
}
