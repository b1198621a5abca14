// Loaded before a program: a Date that is as wrong as the process which started it says, from one moment to the next.

const RealDate = Date
let offsetMs = 0

class MovedDate extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + offsetMs)
    else super(...values)
  }

  static now() {
    return RealDate.now() + offsetMs
  }
}

Object.defineProperty(MovedDate, 'name', { value: 'Date' })
globalThis.Date = MovedDate

process.on('message', (message) => {
  offsetMs = message.clockOffsetMs
})
process.channel?.unref()
