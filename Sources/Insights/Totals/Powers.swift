import Glibc

/// Powers and logarithms of ten, for levels.
func power10(_ exponent: Double) -> Double { Glibc.pow(10, exponent) }

func logarithm10(_ value: Double) -> Double { value > 0 ? Glibc.log10(value) : 0 }
