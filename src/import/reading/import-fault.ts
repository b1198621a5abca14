/** Why a file cannot be taken at all: nothing of it is. */

export class ImportFault extends Error {
  readonly code: 'import-malformed' | 'import-file-missing' | 'coordinate-out-of-range' | 'too-many-operations'
  /** Where in the file: a line, or the names on the way to the place. */
  readonly where: string

  constructor(code: ImportFault['code'], where: string, message: string) {
    super(message)
    this.code = code
    this.where = where
  }
}
