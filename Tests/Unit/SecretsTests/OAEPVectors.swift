internal import Foundation
internal import Secrets
internal import Testing

/// From Project Wycheproof, rsa_oaep_2048_sha256_mgf1sha256_test.json and rsa_oaep_misc_test.json (Apache-2.0): one key of 2,048 bits.
struct OAEPVector: Sendable, CustomTestStringConvertible {
    let comment: String
    let mask: OAEPMask
    /// Nil if decryption must fail.
    let plaintext: [UInt8]?
    let ciphertext: [UInt8]

    /// - Parameter plaintext: in base64.
    init(_ comment: String, _ mask: OAEPMask, plaintext: String?, _ ciphertext: [UInt8]) {
        self.comment = comment
        self.mask = mask
        self.plaintext = plaintext.map { Self.bytes($0) }
        self.ciphertext = ciphertext
    }

    init(_ comment: String, _ mask: OAEPMask, plaintext: String?, _ ciphertext: String) {
        self.init(comment, mask, plaintext: plaintext, Self.bytes(ciphertext))
    }

    var testDescription: String { "\(comment), mask \(mask)" }

    static func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map(Array.init) ?? [] }

    /// PKCS#8 in DER.
    static let key = bytes(
        """
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCitFGgfQql+W5FVnFRNVBRSopbRi6+9xcJT6H+6CIk5jf5dG0/fK/TGHjYAyW2\
        71oXAPZZA7RpQp6J1urIhFCXtas5MYnbklEu2KdxGhJT+s0g95wV6CR/PT5C5G5IyY4lSi/pdlMToD7/jxfhoCk5eh+iao3OJvSQ7YEplhXZgUwi\
        2mEEKOCcfZZYWUJm9cAh0PzsoI2UWhK+gt5NHs5rTAMUW100ldTtVBHrh42vBf16/D4JraDxEmQi9ZCXWhlpgW9IaYvLuhtNnK551GDY+fheeXUA\
        XZvCLE5awPfBpF0SVppigH07mgLlpTDncwZvRT0fW0wunPeCAoP3QrnVAgMBAAECggEAdifu81Z7KicmjlIFPs0xw6cXLMud3O6BmzBqWzxmt1c8\
        pPqI78bzxKAL+grnE59kVDpNrD0Fgj9v9HfPzshP4qx6aLFyBLOQIy4RAxDE6JnE58EJZ9tKzeBC278Z2+ALS0dB3hAgqqr/tQVMeXyfE299k6w/\
        yMr/ZlQkLXgh6+5Re/U39ENmoP3UWuBbmQnC5swe2Sge/0OZ92yWuWIz7CmuC78NdSsjT8GXOJ9RBQqhrNAcB0w6yPvbnqi2UalZlejbStXEO2yG\
        c+WhJufulLjf9MWvwBJZvI2naVC65vi65xX1CYWw1vZtBMb+87cAcg7s3N8XG7ex7L5yicRnwQKBgQDcQxBQ94LolPtSSCR9mMt9WLjR4k87VdBB\
        xW5N4Iaw1bsCi9pC7rXSNNVoHlgJ1BXmoomtTPv3j5ePbDWBT1Duv/HFuApp94joHmurXdqng2nWWdFD7G8X55gTpXXPrZxWkVa5ARPi6REK2ee0\
        ihyTSKbmUzIRkSkOo2z7OlsY8QKBgQC9GoHnl3+YmBIic64yIrWY6l+xnrTqvDgwil4yGWYDsuUA/7efW4hoFmEd68Ry+sRVRAcL6wV8lBN4poaK\
        87egPT+YgOxH1eCJuU+95UKrqa6NcsVwiNer9bEx85CY97wWD5BTaryUkv1OBvPtcpnUuXuwNncgfZVmnxQM+8IPJQKBgQCpS1KLKPKRWZEh2RlS\
        /9HH8h18FHnZnUeIhfsWGHDuEhi/CEcmEtvlSX6NnGUGiOCceGlhrj4sNU3EiuNFFHWcTCPEWISIlh3Aa0FOYcDh5/u9KSPTFTL+KJ+W2iIHEeWM\
        FAGYCOAEFCdpM7sH5O+5tKmzdlaRcgUgnzPwlRXXwQKBgDrw5yqTOu8J/yUD33i6/tUxwC/xorxDfFQM3L1K01Q1z1EXY1llQ0gGKbEUyn94D/fv\
        oy6gy24ADW2eofLvcf2c+ZSEIqFlVX4351Xt/nDZC5IFAutHi8mKY/eIzjoPhW1u3nJRo4O/qPpICoGpJa97PMU4xLq4yfdZf/toAR2NAoGAJkD7\
        +8/vsWPueoe2SDpm7kH5VtkPqKeTm/wELuCSSxt5k9BEX3WNUZM+hRecAyCwyWi0ipHDi1vpI+EJfAxWL4jUIpS2onWbr6VCinTxJwh05F9vzGDy\
        FgLeXszRQ88xJB9ZIbWtOYP7VO8XvjsoU2flDJmcZyR7VS/kv86UX3s=
        """)

    private static let sixBytes = bytes(
        """
        DaKQsL9xoRQbKtxitbQrB/xSUgywXR85zMp7fCLTeabC8tkxQ9BXBQFAUnoeVjgkOTi1Mew95wFLAVEwHkm5+kM0gqAqvf2UGT3JxwFX5Vd3amne\
        0B7L6sQFEzWVxhFlpCi2KEcppHRrR9K7rKnXQyw7VpNZHP7kiOs8aN22zeDdYc/GlSQj+ZSr7O409Wg3MrKZNKLEmK1IzdMMFJF3GJ9I7v2cxyMt\
        8YvhH/X3469zGeMRWZfFmeLY9/T2Y9zEADLUA0NtMFil6mZHNmDw4ZUoHsbrqZfSqVHKbKXzwRJxXInaHT37IKIZQFlO0QrekO10UrdTdX1yQcuK\
        gDw3Og==
        """)

    static let all = valid + refused

    static let valid = [
        Self(
            "0 bytes", .sha256, plaintext: "",
            """
            bmK/JNla/2hor+wqkqRFtkWPFvaIwZ/hIS9mpjE3gxZTzt01nYz/TdSF1339VYEsGBNzIB9Uqv1lcw0qME5iNFXVESXYkeZdl/zlI0HK5F+2TDij\
            hKHGIeJxPuZ5RjPwKan9TXdPVlUerCF2Fi4WJkDyXquHOjRRxHVXDxkii87eTGfDcKde1/q8zVOMmBnv8YJIGxDULxqfagU3O4z5txgY1Ge9O466\
            y2GeitQpFuYAwEPv/Os4VbxIpinmCuiG9RsqeHaw5iP7LOaK9LA5JC+WOtsOQkCu0O0H9l8e58DMd9IQ0MLR3BDIG4gaoMnJ6UmWZc8pcNLM/usx\
            kVMXZQ==
            """),
        Self(
            "20 bytes", .sha256, plaintext: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            """
            IHGAw0Bli1FUrkXS5OcyagmXxoOia1leU2opMzxLZhSa+F4CnVQZo546FHsiFRb/2GtrS2bD4MTEn+jFei9cN7hwS5tZK4DbnNeIpO1Rq08KHL7W\
            O9GNHwaiLyJYZrDCxBfLI0c7e6QlCxNTvS5bTw+TfNLv5fo42zwpX3dIuXAIhlfbSqmnbh7m+/8WbsGGHQDQhTJsc4S90bwvQA1PdNvfra8/3EYH\
            PmaFc+AgMLnrWvWOtUDGZnencRlEeewAmNhYoupF0LoeazJEDfusdFAAVU1RoXaEypZLAqdNR58dQy73Y+9AWXFaQ0jP42ohU1lxLyW2l3kDvkrb\
            kv679g==
            """),
        Self(
            "4 bytes", .sha256, plaintext: "VGVzdA==",
            """
            Xqs/B0HmOYbtZH1T4c1x3wQZhpAIA9D5nGg1XSSaFaR9xbT3ChkUd2VCmeWicx87Tux23qGCYvxpaseU5fZsv83axEcsV44kbCZwdZgFVYRUC4OY\
            NrFATFYRrlWKmEzuj9A2zqkk4L4kdKlA9h4KzBT8rpXr3FmUKpzpr5qcgZmff2gV8Ff/3CUzyxXWOR0eLZXxb5wEIJyImkw1nH0pJtKKZuKwMKQW\
            uSjSglYnmY5RkftJg6bmUCQmLZT8CRh6LXgWISJDMlHRv8yOUH0G66LSKcEAMSYdoyq4zNFfHF+fvwftFYSD1zahEK9LRNak2mDWy1GbRFQhPPnw\
            3FYPKw==
            """),
        Self("6 bytes", .sha256, plaintext: "MTIzNDAw", sixBytes),
        Self(
            "0 bytes", .sha1, plaintext: "",
            """
            jm8Se4btTOA76gJCdZ3sVi88DkddcMlQu5hlxaAMGRhkh/ba0l5u1GAFEOBnqGec3WP3cYr5LlzCl9dNXOckcsQECDsVaSTDmFKwP62Qvsw9oMux\
            6AVWtAEOlWnGHjsYi5279Y93nTvlqafQAKtZbWnJqkj6bB8fvFvnnsOeJ7enYZG2gaAtYcvFkkZRGYvfm7d0mrSlFdHqHZ0y2tONxwMiiYWYUEPB\
            UuLY6Ri2UtZ6QMK+HixswvzhH2ySNxSxFzLY/bFhPEa/zsr9ZPlTb7e0GBZzbj5LYqHdbkwm6Kj2bZnM7TCBJ6OeofIabXiG4iqr88ptZGQnjZML\
            9g8nfw==
            """),
        Self(
            "20 bytes", .sha1, plaintext: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            """
            eolnJeCUTbeJ1Mqpa9hwH9wQCibKEuRdfZpfVZn97AqMpbqeLgpcdD0ugqAAa5FeZXLgZsML15Tpj+CVlRn0GNVYelAS/5sMVFkw4wZc+N6sRA72\
            BxXsuN5j8r6n+4C8gc79L1uXm/DTLgfmFdtqNj8ER77AaNuQqehrtHAwmLPd8bw0soA5MLVvu44Ca4aRJI2ORx7W3AqQkF+WQSRw8QAqsqdUzabe\
            rZfFoF+87F0DmMFWGHa6wCHsTNxpFdkp67b6X/odbjfbmZUfoZZwrg+Lvhi6yrVL6+tewt+0oM9p3XB3syKf0M2FgPtW+hPDmTZOK97MGgv8brZ/\
            AaF/zA==
            """),
        Self(
            "4 bytes", .sha1, plaintext: "VGVzdA==",
            """
            g1qNWrM24hM63js1N9vNkIpJ05M9B0fmxWfm5JODRrQKIIMhZp+CrG/nBVtMQ1xFV3KtmzgJrGW1IjwEMp8jKq7WQSvG8CRXX6nu6dX4E+OEoHKJ\
            ubIDz4zX4r+t+Umu36xOCHBaF+TbcZ7OCR1GsmTrQL76GZyyfeGnRMlhgkg86EgIaGr8VuQUzLwvIZBXrx1+I1SfRPe6508TUlTMllInrKTs17RX\
            HNBcssmbb6Vc9+ycTMCFzQrQzpDj5/aK8uo+KmCXuBpcUJHDECYmGkedRvBcRa4BboYCna6Gxnr7qLi26OZGqU0H0H8+r4yhd8bA7QWJaXHAqRHI\
            Rv+9rA==
            """),
        Self(
            "6 bytes", .sha1, plaintext: "MTIzNDAw",
            """
            gi6IcMAJCMv1AyImVH045CPeuRLEnJ/L7maSDNLp4xl7P9dCjLvF6Q5mBUVyDxgKwM4GIFzvhzVEbeMN8yyHlzgMzOnAUS6yhbe//Yg+8A/hGPAn\
            vcdXAOURIm7E2jX0BuRg+4j5ry6cTsIZOHZ2riHK360PsdcEvmnQ683akN/34XJhLJcsapdLgorO5soYbHG1A3bR7V62wQdAgGVHPVOi6+3IM/B/\
            YPkJpsQkZNeddvlFMaDThiE/zl78LmbzEec7BhQvgkWwY7njlXItvqAp2r5e0cEniLiQl0uh0oSSzOLJDgowJsKClkdjoDCn9/P3anKEOpfZ7uF8\
            27sA9A==
            """),
    ]

    static let refused = [
        Self(
            "first byte of l_hash modified", .sha256, plaintext: nil,
            """
            KH1xCKHG56GKywBFsgxXzfKsA0VrRJQnZKep6f3z20gdfiAuTI1zO1a5wek9ceeRr4MlyTY994myUqXtDt3Hnnb6QcLLCjVhg5ghejkKXm2Z7tkF\
            1VVNGcHPTjC98cL8xRSLZB1xs/GXe2PSMmSN3ZNeyUmaU6wvvKxV9GLpEGWtqgGKOcRTunWb1otFQHQVNCHiznXPFJ90i1uEdY34pCPRxQyICvhj\
            8qbfPNRlyjaqIVK1dx89UH9KTdn4AG2A7KI1Nwkih5dvIYqQ3x4W2In+MeefcwnzIk9hPptSR5/nO3qtkVMZo7YqWTZkn30BXXsJ9/qfRU94p8Pd\
            S/eR4A==
            """),
        Self(
            "last byte of l_hash modified", .sha256, plaintext: nil,
            """
            i2UGWvgncGJdJJF9E/2XrhMkfK2XkQomUflYABZbdsw0v+Bsv4wxp9erT0HgXEWiW5DGBjeMjknJWhXKEa4355egDxsmgKaVjFQ5a+Thzu3KvFjZ\
            8TazaGei/v5kipdY9JY0v7yqSHF6EWy6WMJ1Ob4QxWkRqr4BPgMpZF6DCEI8OqQuDJsfS19Ubd2fkL9NAH2rUqw4edt1Xk8rlttc8BlQ85B28mH1\
            CxuuE3vlALA87/bqG72AszQk9/q6XMa4ZnD8t9samzxYvf17dbqfPr00rjLTIMdXAgpzJN99OYW8z+DoG7f2G9mMs3IZMSKZtPJ0sskMUqjheQ9S\
            6P3XaA==
            """),
        Self(
            "l_hash changed to all 0", .sha256, plaintext: nil,
            """
            NW6R25vZMse1cm2iiOJiDNeWZ8Lh16ylYjMc6qbkq0dmUhPtdVeauxR3KLz/YHh8lRB/W+eHxC5xTVFif8yLTqccIywMgM5hY80Pv6ndfowZkBdq\
            vCcF9P/PHVxiOT6rHA7IplOpDyepaN+PSvYi6W9mP87q2LC/Xf9lzWV6crnDMmXFwqj3+cYUucL4qVJGlw5qd4rKSxJVLaR8J0KCrZIF7NImSuPG\
            SVl76qNcFBkQ6EIzd21BlEj1UBmoThmaSGfWi/IT9HsDFtUAedq3cpn7vn/okpkGRhwRA6l8Kz8WM8jvA+gg7GdeMxzR/ajr/t9UHQ8rVx9Oryks\
            4KsUwQ==
            """),
        Self(
            "l_hash changed to all 1", .sha256, plaintext: nil,
            """
            Wm790tIR1QNmiF4XcZDOFiG6EQ7kZTC9CDunbtSJkthe/Y+bqWTrM+WW4MC8tUX4niyVku0YSV6OXfGGb+MLJ1IqOtnPcSTEqiP3ySWQBhPFC3wY\
            hytFN6dQQZrhKOkT6aLYfCGeLNARMpcimAKOVP45Tvl3nQRUPHLuxMVzLK3/C5VJZHBrxAhXIrDFlRYtEXk6spdUg3v10yTiGBTqJLEv7UQfINIh\
            SLpamHtqp8fUq1ozr45skJbCl3fLDVz+k4pu1dMJNqWo9fxDXfFNHEOdG50nQlTnski9INIdxGUsFgXVopKdsBi9RXlKUjshf+CpprBwQZe6gSb8\
            gxFVbw==
            """),
        Self(
            "first byte of ps modified", .sha256, plaintext: nil,
            """
            UlguECZGMOFYQVX16XC47akQioc3CGHNoS7nc0Ec9VbbMoyKKhZdEPb5aaxhsXCnWXX735MZ0TyVNfMNYh2xnkHaOgT+QIdMr3ecjwO9XRiS5Skl\
            sYPBGERu2aM16cHcRRn7ElMhXl+NjubUnAFnr51cpbGs4GevVz4L6aYb7szaw3sOVPaw9wV2y4pADQETY1eoV26BwRnT3ZHHtcs0NpKoEDYuHm3A\
            bBdG4HGpA6KFa0RG8Q94xnDWF+XiTcXA5Fyq+/j/xK9rPvmY/hv7WarLFtmNfjiWeZOYYaZyLE4pr3MdqZ0XBY16EurQ09V23nlq0q1Zb+raTAkf\
            EHSFNg==
            """),
        Self(
            "ps terminated by 0xff", .sha256, plaintext: nil,
            """
            P14ANHw2zrefQA7/yuktMxqp9SU5BBxQ27xv0HGRKRJpKhY1M3gnaiwVljWMRvYjJDSpWpnFc9C4Pkpulwpz6ZyhPXNFBuKipWdEsYcr/9UBqAun\
            z1SU32/5tCHLECR+EdGayeYK/g3ah8s1HCG6VU6lC3D27uT/qUmuOGlO+DECDU5ZnG/0ST0Hx7a+BkU7hBQ4E6aN/g+tojF6n0BAo89jCAkLa/rK\
            NgZzEvQbwMTAGsAP21ruQ5WwTN/4LLQzsBzT5w2q/HgHsvdwImaZ51NRJKRT960mU7+3z+ceEg3De6iKW+NHrRNDUcEf8QGbfkLSS3o4kKhCT65T\
            oQwOEQ==
            """),
        Self(
            "ps is all zero", .sha256, plaintext: nil,
            """
            oWa/e1ws8YlsC5JKaSM6Clhb1H7X8jMGVKpogG3rD/aMZHUFCrRcaRu7zFjbwvXIF3KejhlevTnUi9XhSXerrggpY2gxZVkX+1p1j7Q6jlBdbOWV\
            9iWXBoX37IHLVZIhD11oxuLh7ya074ySv0Twd+HVCZ83nLgSCtGFvweHeXnKgfJR+4G+CtPBT014hfzsSW+AAz/UJ5toMKIMverSfAln4o0eBu9L\
            17qJIQ7A1pYnShh9wvEyEvWt8G6UUOyjmDJc/ac0MQNqwhsIfTc8n1dclB+MsHiWEXbjGFmmHEm6+P9PgXoRAQRI1qDkDc7eGlrDvvpMbp2dZ9jo\
            /Ytt4w==
            """),
        Self(
            "ps replaced by 0xff's", .sha256, plaintext: nil,
            """
            dYKaxNl4SN+6IcFojpNs/HNvU/3luR1TMLY6mWjdT1HC9Sn9jY+E5KkIGW/MXeuiG1xzANc4HgfE4OohhJZRacyUZJM+9ahA2GsdvMlFx1R9nqsk\
            W6ZNJJRqdZYRYcK49Bfa8RsWOx5aWwLUU0E4Tzd1Ukj6hx5qgvlIrWKS8RRFvzBZbczOxzpEHOpeXcRwAWMJqDtsjxWFNmh60nNNPqFWLUbiO/6M\
            q0mNGbCxBNlxgqrPhStts8RnAQm4GvG9mbSD2Ss+S9gT7fpNBRMhTcxbtNp2joYAfCLxHl/m9MtguQmVj7lN6mYNP/8LmdsVwtLmyN90eDMNrejF\
            F7kJdQ==
            """),
        Self(
            "First byte is 1", .sha256, plaintext: nil,
            """
            P5KmlGYcrjNsrHo8Wm9n4GVdECGKZEWXOauWZPLOxYl4k5US32Iea5L+NCm7IsCLUQPaZIp3GefpWgTmthYBVGlVgl1g9MUXYZ+FF4CtF/G4qVXP\
            jH8aXibKSgzBnMp1HQeQ1W4RQKRwXhknT2OLfBbZ0+Qjp/eH0CaZI14+nk1UOpVPmxvOVBHI69yuhqS7hsZoGKC6tRorADg7MY5T2VUIurGxnjiM\
            1aA83Oug9xdsF4LhnvYs/2k1LURLHODh8znpbYplwHqjf18s8zhn9sSW4Nps15s+IYO1cGTOIaG5IHJwLlVagsrXUQf9/YvV5+pfEZz7vBdw6WL9\
            C3ga/w==
            """),
        Self("m is 0", .sha256, plaintext: nil, [UInt8](repeating: 0, count: 256)),
        Self("m is 1", .sha256, plaintext: nil, [UInt8](repeating: 0, count: 255) + [1]),
        Self(
            "m is n-1", .sha256, plaintext: nil,
            """
            orRRoH0KpfluRVZxUTVQUUqKW0YuvvcXCU+h/ugiJOY3+XRtP3yv0xh42AMltu9aFwD2WQO0aUKeidbqyIRQl7WrOTGJ25JRLtincRoSU/rNIPec\
            Fegkfz0+QuRuSMmOJUov6XZTE6A+/48X4aApOXofomqNzib0kO2BKZYV2YFMItphBCjgnH2WWFlCZvXAIdD87KCNlFoSvoLeTR7Oa0wDFFtdNJXU\
            7VQR64eNrwX9evw+Ca2g8RJkIvWQl1oZaYFvSGmLy7obTZyuedRg2Pn4Xnl1AF2bwixOWsD3waRdElaaYoB9O5oC5aUw53MGb0U9H1tMLpz3ggKD\
            90K51A==
            """),
        Self(
            "added n to c", .sha256, plaintext: nil,
            """
            sFbiUTx8Rw2JcDLUBul7WUbcrVLfHBZQ1hodewr1noz67E2eg00G2Bm5Kn1EDSd+UDmriu/yUEPpiyga5s4Kkfjfu9G0mY/lSBZxOBtqOVJEi2F6\
            5gbwagFDVhoEDtrzyXLmEb18uBSqR2HTjkoAfKZa+P3m6yXZGdi9knPMp2IphKonmU0ElhJCRUd3XF33VIOWIUNSLQdbjFXqYbBFg+tMA1j5+7kC\
            3t/zC32FkrVwlN9PY0VmivU9GuqG+zbdabRDS6z4/BLBOAL1sDVRuo8gfUBgqfVua34Yx2brgrbObuB0f754XDwcJf5/uH3lADKxchKfpBppw84O\
            d37xDw==
            """),
        Self("ciphertext is empty", .sha256, plaintext: nil, ""),
        Self("prepended bytes to ciphertext", .sha256, plaintext: nil, [0, 0] + sixBytes),
        Self("appended bytes to ciphertext", .sha256, plaintext: nil, sixBytes + [0, 0]),
        Self("truncated ciphertext", .sha256, plaintext: nil, Array(sixBytes.dropFirst())),
    ]
}
